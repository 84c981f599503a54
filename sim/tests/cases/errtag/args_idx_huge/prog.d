BEGIN { trace(args[99]); }
