BEGIN { trace(index("a")); }
