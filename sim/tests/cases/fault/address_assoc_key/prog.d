BEGIN { a[*(int *)0] = 1; }
ERROR { exit(1); }
