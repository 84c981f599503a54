nosuch { trace(1); }
