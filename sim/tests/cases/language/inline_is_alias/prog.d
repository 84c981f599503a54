int x;
inline int y = x;
BEGIN { y = 9; printf("%d", x); exit(0); }
