BEGIN { bcopy(alloca(4), NULL, 4); }
ERROR { exit(1); }
