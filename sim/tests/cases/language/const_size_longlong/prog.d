BEGIN { printf("%d", sizeof (1ll)); exit(0); }
