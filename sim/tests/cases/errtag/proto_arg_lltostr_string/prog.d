BEGIN { trace(lltostr("a")); }
