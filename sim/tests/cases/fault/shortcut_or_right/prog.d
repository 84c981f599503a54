BEGIN { x = 0; trace(x || *(int *)0); }
ERROR { exit(1); }
