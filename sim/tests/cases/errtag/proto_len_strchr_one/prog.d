BEGIN { trace(strchr("a")); }
