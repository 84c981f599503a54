inline int N = 3;
int a[N];
BEGIN { printf("%d", sizeof (a)); exit(0); }
