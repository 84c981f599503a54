struct s { int a; };
struct s v;
BEGIN { @a = sum(v); }
