struct s { short a; };
BEGIN { printf("%d", sizeof (((struct s *)0)->a)); exit(0); }
