BEGIN { printf("%x", ~0u); exit(0); }
