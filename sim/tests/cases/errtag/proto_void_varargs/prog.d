extern int f(void, ...);
