BEGIN { if (1) printf("a"); exit(0); }
