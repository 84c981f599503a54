inline int i = nosuch;
BEGIN { trace(1); }
