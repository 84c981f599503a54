inline char C = 300;
BEGIN { printf("%d", C); exit(0); }
