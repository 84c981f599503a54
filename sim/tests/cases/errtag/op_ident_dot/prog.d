struct s { int A; };
struct s v;
inline int A = 1;
BEGIN { trace(v.A); }
