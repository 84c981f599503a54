char x;
BEGIN { x = 300; printf("%d", x == 300); exit(0); }
