BEGIN { printf("%d", genunix`hz); exit(0); }
