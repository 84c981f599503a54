int *foo_t x;
