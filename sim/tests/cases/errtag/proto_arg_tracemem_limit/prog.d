BEGIN { tracemem(curthread, 16, "a"); }
