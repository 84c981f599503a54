struct s { int a; };
struct s v;
BEGIN { tracemem(v, 4); }
