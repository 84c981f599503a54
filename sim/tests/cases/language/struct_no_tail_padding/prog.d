struct s { int a; char b; };
BEGIN { printf("%d", sizeof (struct s)); exit(0); }
