BEGIN { trace(strlen); exit(0); }
