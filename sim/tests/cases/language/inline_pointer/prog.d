struct s { int n; };
struct s *q;
inline struct s *P = q;
BEGIN { q = alloca(4); q->n = 4; printf("%d", P->n); exit(0); }
