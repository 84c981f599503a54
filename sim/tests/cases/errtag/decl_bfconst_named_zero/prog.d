struct s { unsigned int a : 0; };
