BEGIN { speculate(50); trace(1); }
ERROR { exit(1); }
