BEGIN { trace(sizeof(struct)); exit(0); }
