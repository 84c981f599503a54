struct s { short char c; };
