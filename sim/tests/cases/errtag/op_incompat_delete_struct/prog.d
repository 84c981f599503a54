struct s { int a; };
struct s x;
BEGIN { x = 0; }
