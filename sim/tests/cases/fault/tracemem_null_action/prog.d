BEGIN { tracemem(NULL, 16); }
ERROR { exit(1); }
