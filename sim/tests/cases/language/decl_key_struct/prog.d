struct s { int x; }; int a[struct s]; struct s k; BEGIN { a[k] = 5; printf("%d", a[k]); exit(0); }
