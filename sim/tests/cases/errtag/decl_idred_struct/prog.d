struct s { int a; };
struct t { int a; };
struct s x;
struct t x;
