BEGIN { discard(17); }
ERROR { exit(1); }
