BEGIN { $1 = 7; printf("%d", x); exit(0); }
