BEGIN { printf("%d", 'A'); exit(0); }
