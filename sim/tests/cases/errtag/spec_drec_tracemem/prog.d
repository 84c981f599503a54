BEGIN { tracemem(curthread, 4); speculate(1); }
