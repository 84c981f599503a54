BEGIN { trace(copyinstr("a")); }
