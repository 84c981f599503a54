BEGIN { trace(substr("a")); exit(0); }
