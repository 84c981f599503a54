dtrace:::BEGI? { printf("B"); exit(0); }
