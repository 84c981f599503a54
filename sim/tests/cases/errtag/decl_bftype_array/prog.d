struct s { int a[2] : 3; };
