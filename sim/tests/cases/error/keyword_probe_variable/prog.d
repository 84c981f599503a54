BEGIN { probe = 1; exit(0); }
