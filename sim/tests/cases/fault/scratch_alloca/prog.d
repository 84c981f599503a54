BEGIN { x = alloca(100000000); }
ERROR { exit(1); }
