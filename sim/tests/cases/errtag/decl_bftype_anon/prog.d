struct s { float : 3; };
