struct s { int a; } v, w;
BEGIN { v.a = 1; w.a = 2; printf("%d", w.a - v.a); exit(0); }
