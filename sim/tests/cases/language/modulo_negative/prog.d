BEGIN { a = -8; b = 3; printf("%d %d %d", a % b, 8 % -3, a % -b); exit(0); }
