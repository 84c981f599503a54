BEGIN { tracemem((void)0, 8); }
