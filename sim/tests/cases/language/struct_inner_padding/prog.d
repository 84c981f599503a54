struct s { char a; int b; };
BEGIN { printf("%d", sizeof (struct s)); exit(0); }
