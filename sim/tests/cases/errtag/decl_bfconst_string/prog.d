struct s { int a : "x"; };
