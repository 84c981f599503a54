struct s { int a; struct s b; };
