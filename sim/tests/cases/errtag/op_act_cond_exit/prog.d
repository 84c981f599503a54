BEGIN { x = 1; x ? exit(0) : exit(1); }
