struct s { int a; };
self struct s x;
struct s { int b; };
