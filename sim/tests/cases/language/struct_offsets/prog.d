struct s { char a; int b; long c; };
BEGIN { printf("%d", offsetof(struct s, c) * 100 + offsetof(struct s, b)); exit(0); }
