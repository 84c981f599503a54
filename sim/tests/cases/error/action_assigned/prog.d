BEGIN { x = trace(1); exit(0); }
