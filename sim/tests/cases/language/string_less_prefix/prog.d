BEGIN { printf("%d", "ab" < "abc"); exit(0); }
