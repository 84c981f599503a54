BEGIN { trace(strlen("a", "b")); exit(0); }
