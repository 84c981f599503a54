$1 { trace(1); }
