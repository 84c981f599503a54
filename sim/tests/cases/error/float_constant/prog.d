BEGIN { x = 3.14; exit(0); }
