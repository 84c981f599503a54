BEGIN { printf("%d", strlen("\q")); exit(0); }
