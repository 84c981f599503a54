BEGIN { printf("%d %*s", 1, "a", "b"); }
