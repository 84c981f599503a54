BEGIN { printf("%d", "abc" < "abd"); exit(0); }
