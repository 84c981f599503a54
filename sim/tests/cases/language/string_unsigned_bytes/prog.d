BEGIN { printf("%d", "\xff" > "a"); exit(0); }
