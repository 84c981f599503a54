BEGIN { exit(0); speculate(1); }
