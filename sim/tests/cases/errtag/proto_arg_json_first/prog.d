BEGIN { trace(json(1, "a")); }
