struct s { int a; };
struct s v;
BEGIN { printa(v); }
