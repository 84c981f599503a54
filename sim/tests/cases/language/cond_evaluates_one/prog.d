BEGIN { a = b = 0; x = 1; x ? a++ : b++; printf("%d %d", a, b); exit(0); }
