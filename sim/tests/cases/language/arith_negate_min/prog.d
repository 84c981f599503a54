BEGIN { x = -9223372036854775807; x--; printf("%d", -x); exit(0); }
