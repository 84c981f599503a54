BEGIN { x = 1u; printf("%u", -x); exit(0); }
