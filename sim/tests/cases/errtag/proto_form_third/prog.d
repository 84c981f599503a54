extern int f(int x, int y, int x);
