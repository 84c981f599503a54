struct s { int char a; };
