1 { printf("1"); exit(0); }
