struct s { int a : 3; int b : 40; };
