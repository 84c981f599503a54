BEGIN { x = 7; }
BEGIN { printf("%d", x); exit(0); }
