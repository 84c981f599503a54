BEGIN { speculate(1); trace(1); exit(1); }
