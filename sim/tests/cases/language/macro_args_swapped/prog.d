BEGIN { printf("%s %s", $$2, $$1); exit(0); }
