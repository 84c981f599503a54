dtrace:::B*N { printf("1"); exit(0); }
