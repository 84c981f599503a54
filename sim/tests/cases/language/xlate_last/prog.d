struct s { int a; }; translator struct s < int v > { a = v; a = v * 2; }; BEGIN { printf("%d", xlate <struct s> (4).a); exit(0); }
