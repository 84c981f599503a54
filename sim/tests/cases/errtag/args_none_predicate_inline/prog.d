inline int i = args[0] + 1;
BEGIN { trace(i); }
