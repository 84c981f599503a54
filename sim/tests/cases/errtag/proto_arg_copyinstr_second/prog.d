BEGIN { trace(copyinstr(1, "b")); }
