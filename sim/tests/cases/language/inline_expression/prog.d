int x;
inline int D = x * 2;
BEGIN { x = 3; printf("%d", D); exit(0); }
