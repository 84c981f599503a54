BEGIN { trace(1); trace(*(int *)0); }
ERROR { exit(1); }
