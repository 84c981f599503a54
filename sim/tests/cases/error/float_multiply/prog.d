double f; BEGIN { trace(f * 2); exit(0); }
