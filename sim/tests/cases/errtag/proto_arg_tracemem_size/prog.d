BEGIN { tracemem(curthread, "a"); }
