BEGIN { trace(strtoll("12", "x")); }
