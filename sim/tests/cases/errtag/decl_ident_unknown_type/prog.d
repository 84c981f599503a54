unsigned foo_t x;
