BEGIN { trace(args[-1]); exit(0); }
