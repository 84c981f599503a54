BEGIN { printf("%s", curthread); }
