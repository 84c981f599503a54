struct k { int a; int b; };
struct k v;
BEGIN { v.a = 1; v.b = 2; x[v] = 5; v.b = 3; printf("%d ", x[v]); v.b = 2; printf("%d\n", x[v]); exit(0); }
