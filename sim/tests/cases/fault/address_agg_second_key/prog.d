BEGIN { @[1, *(int *)0] = count(); }
ERROR { exit(1); }
