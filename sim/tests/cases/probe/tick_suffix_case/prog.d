tick-10MS { printf("x"); exit(0); }
