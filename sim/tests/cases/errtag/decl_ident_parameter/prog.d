extern int f(int nosuch_t x);
