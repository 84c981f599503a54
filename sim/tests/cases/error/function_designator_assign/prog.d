BEGIN { `putnext = 1; exit(0); }
