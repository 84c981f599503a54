BEGIN { printf("%d", __SUNW_D); exit(0); }
