BEGIN { trace(1, nosuch); }
