BEGIN { printf("%d", "abcdef" == "abcxyz" || 1); exit(0); }
