BEGIN { x = (int)1; (void)exit(0); }
