BEGIN { x = *(int *)0 ? 1 : 2; }
ERROR { exit(1); }
