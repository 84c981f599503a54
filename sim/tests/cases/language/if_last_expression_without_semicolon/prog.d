BEGIN { x = 1; if (x) { printf("a"); exit(0) } }
