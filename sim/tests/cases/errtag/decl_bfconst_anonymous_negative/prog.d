struct s { int : -1; };
