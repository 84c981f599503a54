BEGIN { x = 0; }
BEGIN { y = 1 / x; }
ERROR { printf("%d %d %d\n", arg1, arg2, arg4); exit(0); }
