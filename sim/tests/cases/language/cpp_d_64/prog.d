BEGIN { printf("%d", __SUNW_D_64); exit(0); }
