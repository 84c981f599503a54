BEGIN { printf("%s", "\x41z"); exit(0); }
