BEGIN { printf("%d", strlen("ab\0cd")); exit(0); }
