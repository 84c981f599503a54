BEGIN { x = NULL; x = "a"; exit(0); }
