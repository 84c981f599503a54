BEGIN { printf("%d", 5 ^^ 3); exit(0); }
