BEGIN { x = 5; printf("%d", sizeof x); exit(0); }
