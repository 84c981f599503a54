struct s { int b; int a:3; };
BEGIN { trace(offsetof(struct s, a)); }
