BEGIN { printf("%c", "a"); }
