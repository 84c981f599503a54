int a, b, c;
BEGIN { a = 1; b = 2; c = 3; printf("%d", a + b + c); exit(0); }
