BEGIN { printf("abc %10"); }
