BEGIN { x = 1; x ? x = 1 : x = 2; exit(0); }
