BEGIN { printf("%d", 'ab'); exit(0); }
