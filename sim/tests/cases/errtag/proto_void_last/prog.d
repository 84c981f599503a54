extern int f(int, void);
