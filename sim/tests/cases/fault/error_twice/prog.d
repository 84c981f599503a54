BEGIN { *(int *)0; }
BEGIN { *(int *)4; }
ERROR { n++; printf("%d:%x\n", n, arg5); }
ERROR /n == 2/ { exit(0); }
