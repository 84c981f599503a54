BEGIN { printf("%d", *&`hz); exit(0); }
