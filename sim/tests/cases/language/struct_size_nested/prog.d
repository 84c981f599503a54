struct in { char c; }; struct out { int a; struct in b; int d; }; BEGIN { printf("%d", sizeof(struct out)); exit(0); }
