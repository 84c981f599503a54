BEGIN { trace($1); trace($$2); printf("x"); exit(0); }
