size_t int x;
