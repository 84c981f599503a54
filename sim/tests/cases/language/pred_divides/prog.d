BEGIN / 6 / 2 == 3 / { printf("yes"); exit(0); }
