struct in { char c; int i; };
struct out { struct in a; struct in b[2]; union { int n; char bytes[4]; } u; };
struct out v;
BEGIN { v.u.n = 0x01020304; printf("%d", v.u.bytes[0]); exit(0); }
