struct s { int a; };
struct s v;
BEGIN { @a = count(); normalize(@a, v); }
