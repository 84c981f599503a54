BEGIN { 1x = 1; exit(0); }
