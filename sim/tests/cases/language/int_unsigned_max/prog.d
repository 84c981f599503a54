BEGIN { x = 18446744073709551615U; printf("%d", x); exit(0); }
