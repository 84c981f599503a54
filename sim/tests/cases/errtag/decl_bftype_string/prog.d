struct s { string a : 3; };
