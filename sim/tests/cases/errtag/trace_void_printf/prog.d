BEGIN { trace(printf("a")); }
