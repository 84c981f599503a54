BEGIN { trace(substr("abc", "x")); }
