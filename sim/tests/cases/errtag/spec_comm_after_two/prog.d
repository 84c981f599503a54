BEGIN { x = 1; commit(x); speculate(x); }
