struct s { int a; int b; int c; };
char a[offsetof(struct s, c)];
BEGIN { printf("%d", sizeof (a)); exit(0); }
