BEGIN { speculate(1); freopen("f"); }
