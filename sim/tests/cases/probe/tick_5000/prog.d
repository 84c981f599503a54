tick-5000 { printf("x"); exit(0); }
