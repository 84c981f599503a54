BEGIN { printf("%d", nosuch); }
