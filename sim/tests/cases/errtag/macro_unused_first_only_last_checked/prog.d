BEGIN { trace($$2); exit(0); }
