BEGIN { printf("%d", 'abcd'); exit(0); }
