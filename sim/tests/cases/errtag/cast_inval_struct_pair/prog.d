struct s { int a; };
struct t { int a; };
struct s v;
BEGIN { trace((struct t)v); }
