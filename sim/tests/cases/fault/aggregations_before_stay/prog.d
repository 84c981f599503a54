BEGIN { @ = count(); trace(*(int *)0); @ = count(); }
ERROR { exit(0); }
