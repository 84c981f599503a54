BEGIN { x = 0; x = curthread; exit(0); }
