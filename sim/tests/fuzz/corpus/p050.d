BEGIN { printf("[%s]enum\n", basename("/")); exit(0); }
