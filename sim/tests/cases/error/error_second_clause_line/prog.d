BEGIN { a = 1; }

BEGIN { trace(b); }
