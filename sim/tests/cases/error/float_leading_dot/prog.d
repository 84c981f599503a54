BEGIN { x = .5; exit(0); }
