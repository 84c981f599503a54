struct s { unsigned double d; };
