BEGIN { printf("1") printf("2"); exit(0); }
