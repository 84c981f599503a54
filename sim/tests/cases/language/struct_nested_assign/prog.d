struct in { int v; }; struct out { int k; struct in i; }; struct out a; struct in b; BEGIN { b.v = 5; a.i = b; printf("%d", a.i.v); exit(0); }
