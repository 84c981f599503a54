enum e { a };
struct s { int b; };
struct s v;
BEGIN { trace(v.a); }
