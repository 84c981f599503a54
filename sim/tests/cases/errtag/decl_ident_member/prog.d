struct s { int a b; };
