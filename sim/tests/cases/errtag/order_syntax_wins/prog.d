BEGIN { trace(x); }
BEGIN { trace(1 }
