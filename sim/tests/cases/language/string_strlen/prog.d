BEGIN { printf("%d", strlen("hello")); exit(0); }
