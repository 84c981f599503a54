struct s { int a:3; int b:9; int c:17; };
BEGIN { printf("%d\n", sizeof (struct s)); exit(0); }
