extern int f(auto int);
