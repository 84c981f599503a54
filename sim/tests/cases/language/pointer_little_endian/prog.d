int *p;
BEGIN { p = alloca(4); *p = 0x01020304; printf("%d", *(uint8_t *)p); exit(0); }
