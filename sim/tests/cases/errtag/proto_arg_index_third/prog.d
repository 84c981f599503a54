BEGIN { trace(index("a", "b", "c")); }
