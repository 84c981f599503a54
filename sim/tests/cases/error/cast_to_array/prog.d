BEGIN { trace((int[3])0); exit(0); }
