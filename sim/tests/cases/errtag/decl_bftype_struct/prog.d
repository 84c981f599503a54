struct t { int x; };
struct s { struct t a : 3; };
