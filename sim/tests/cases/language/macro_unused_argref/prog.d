BEGIN { printf("ok"); exit(0); }
