BEGIN / *(int *)0/ { trace(1); }
ERROR { exit(1); }
