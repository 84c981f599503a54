BEGIN { printf("%d", (6 & 3) | (6 ^ 3)); exit(0); }
