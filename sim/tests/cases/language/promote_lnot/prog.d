BEGIN { printf("%d", sizeof (!1l)); exit(0); }
