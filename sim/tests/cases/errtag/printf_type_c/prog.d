BEGIN { printf("%c", 1LL); }
