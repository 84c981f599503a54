BEGIN { trace(x); }
