BEGIN { printf("%s", $$01); exit(0); }
