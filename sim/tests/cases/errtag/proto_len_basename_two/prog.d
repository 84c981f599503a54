BEGIN { trace(basename("a", "b")); }
