BEGIN { *(int *)0; }
ERROR { exit(1); }
