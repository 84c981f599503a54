BEGIN { x = trace; exit(0); }
