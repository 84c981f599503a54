BEGIN { tracemem(curthread, 0, 4); }
