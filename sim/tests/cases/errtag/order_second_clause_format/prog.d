BEGIN { printf("%d"); }
BEGIN { trace(x); }
