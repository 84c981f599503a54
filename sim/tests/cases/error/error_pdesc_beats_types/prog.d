nosuch { trace(a); }
