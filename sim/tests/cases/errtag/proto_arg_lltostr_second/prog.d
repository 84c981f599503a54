BEGIN { trace(lltostr(1, "b")); }
