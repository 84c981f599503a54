BEGIN { x = 5; trace(*(int *)0); x = 6; }
ERROR { printf("x=%d\n", x); exit(0); }
