inline int M = -5;
BEGIN { printf("%d", M); exit(0); }
