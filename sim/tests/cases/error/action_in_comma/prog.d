BEGIN { 2, trace(1); exit(0); }
