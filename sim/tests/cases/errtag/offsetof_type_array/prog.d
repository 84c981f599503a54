struct s { int a; };
BEGIN { trace(offsetof(struct s [2], a)); }
