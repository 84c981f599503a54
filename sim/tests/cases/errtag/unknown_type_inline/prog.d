inline nosuch_t x = 1;
