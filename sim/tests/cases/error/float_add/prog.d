float f; BEGIN { trace(f + f); exit(0); }
