BEGIN { speculate(0); x = 7; printf("lost"); }
BEGIN { printf("%d", x); exit(0); }
