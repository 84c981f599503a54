struct s { int a; };
unsigned struct s x;
