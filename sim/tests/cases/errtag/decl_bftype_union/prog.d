union u { int x; };struct s { union u a : 3; };
