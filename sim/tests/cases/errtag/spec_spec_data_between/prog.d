BEGIN { speculate(1); printf("a"); speculate(1); }
