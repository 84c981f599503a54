BEGIN { trace(`hz[0]); exit(0); }
