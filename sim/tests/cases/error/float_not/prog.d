float f; BEGIN { trace(!f); exit(0); }
