tick-10ms { printf("t"); exit(0); }
