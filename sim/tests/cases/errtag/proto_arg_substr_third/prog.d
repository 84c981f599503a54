BEGIN { trace(substr("a", 1, "b")); }
