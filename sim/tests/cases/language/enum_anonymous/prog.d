enum { ONE = 1, TWO, THREE };
BEGIN { printf("%d", THREE); exit(0); }
