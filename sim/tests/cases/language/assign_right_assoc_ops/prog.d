BEGIN { a = 2; b = 3; a += b += 2; printf("%d %d", a, b); exit(0); }
