struct s { int a };
