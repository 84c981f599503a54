extern int x;
BEGIN { x = 3; printf("%d", x); exit(0); }
