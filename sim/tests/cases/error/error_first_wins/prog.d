BEGIN { trace(a); trace(b); }
