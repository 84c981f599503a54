struct in { char c; int i; };
struct out { struct in a; struct in b[2]; union { int n; char bytes[4]; } u; };
struct out v;
BEGIN { v.b[0].i = 7; v.b[1].i = 8; printf("%d", v.b[1].i); exit(0); }
