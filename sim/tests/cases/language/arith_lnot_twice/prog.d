BEGIN { printf("%d", !!42); exit(0); }
