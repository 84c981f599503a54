BEGIN { printf("%s %s", $$12, $$11); exit(0); }
