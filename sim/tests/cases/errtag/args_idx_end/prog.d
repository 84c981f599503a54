END { trace(args[0]); }
