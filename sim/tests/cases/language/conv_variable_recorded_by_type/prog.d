char x;
BEGIN { x = 300; printf("%d", x); exit(0); }
