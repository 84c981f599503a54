BEGIN { printf("%d", "a" > "A"); exit(0); }
