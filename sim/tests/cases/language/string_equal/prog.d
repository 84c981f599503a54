BEGIN { printf("%d", "abc" == "abc"); exit(0); }
