BEGIN { printf("%x", -1u); exit(0); }
