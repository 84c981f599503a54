BEGIN { n = 8; tracemem(curthread, n); }
