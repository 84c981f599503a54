BEGIN { printf("[%s]", $$3); exit(0); }
