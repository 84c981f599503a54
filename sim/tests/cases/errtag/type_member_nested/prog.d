struct s { int a; };
struct t { struct s in; } ;
BEGIN { trace(((struct t *)0)->in.c); }
