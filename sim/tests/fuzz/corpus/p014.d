extern int f( a, void v);
