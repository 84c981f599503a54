struct s { int a; };
auto struct s x;
