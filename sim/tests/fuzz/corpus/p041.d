BEGIN { printf("[s]\n", basename("a/")); exit(0); }
