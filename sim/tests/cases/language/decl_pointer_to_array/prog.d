int (*p)[2];
BEGIN { p = alloca(8); (*p)[1] = 4; printf("%d", (*p)[1]); exit(0); }
