extern int f(int a, void v);
