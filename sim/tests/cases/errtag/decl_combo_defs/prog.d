struct s { int a; } int y;
