BEGIN { trace($$foo); exit(0); }
