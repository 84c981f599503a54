BEGIN { speculate(1); copyout(alloca(4), 0, 4); }
