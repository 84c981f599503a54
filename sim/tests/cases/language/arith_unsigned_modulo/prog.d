BEGIN { x = 18446744073709551615u; printf("%d", x % 10); exit(0); }
