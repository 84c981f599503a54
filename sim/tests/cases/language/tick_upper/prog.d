tick-1MS { printf("t"); exit(0); }
