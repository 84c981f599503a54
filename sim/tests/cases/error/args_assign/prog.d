BEGIN { args[0] = 1; exit(0); }
