BEGIN { trace(strstr("a", "b", "c")); }
