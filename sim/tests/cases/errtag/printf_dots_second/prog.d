BEGIN { printf("%d %..d", 1, 1); }
