BEGIN { tracemem(0, pid); }
