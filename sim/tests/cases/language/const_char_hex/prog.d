BEGIN { printf("%d", '\x41'); exit(0); }
