struct in { char c; int i; };
struct out { struct in a; struct in b[2]; union { int n; char bytes[4]; } u; };
struct out v;
BEGIN { v.a.i = 4; printf("%d", v.a.i); exit(0); }
