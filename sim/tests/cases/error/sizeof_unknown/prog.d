BEGIN { trace(sizeof(x)); exit(0); }
