struct s { int a; };
struct s x[int];
BEGIN { x[1] = 1; }
