inline int x = y;
BEGIN { trace(1); }
