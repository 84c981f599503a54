int *p;
BEGIN { p = alloca(4); *p = 0x01020304; *((unsigned char *)p + 1) = 2; printf("%d", ((unsigned char *)p)[1]); exit(0); }
