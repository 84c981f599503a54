BEGIN { printf("%d", strlen($$pid) > 0); exit(0); }
