BEGIN { trace(strchr("abc", "a")); }
