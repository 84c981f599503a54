BEGIN { i = 0; trace(args[i]); exit(0); }
