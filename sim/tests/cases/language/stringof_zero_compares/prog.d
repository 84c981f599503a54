BEGIN { printf("%d\n", stringof(0) == ""); exit(0); }
