struct s { int n; string s; };
struct s v;
BEGIN { v.s = "abc"; printf("%s", v.s); exit(0); }
