BEGIN { tracemem(execname, 8); }
