BEGIN { x = 9223372036854775807; printf("%d", x + 1); exit(0); }
