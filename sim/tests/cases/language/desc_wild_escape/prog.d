dtrace:::\BEGIN { printf("B"); exit(0); }
