BEGIN { printf("%C", "a"); }
