struct s { int a : rand(); };
