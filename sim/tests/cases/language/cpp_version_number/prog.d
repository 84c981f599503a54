#if __SUNW_D_VERSION >= 0x01000000
BEGIN { printf("1"); exit(0); }
#endif
