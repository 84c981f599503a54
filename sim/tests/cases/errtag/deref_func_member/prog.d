struct s { void (*f)(void); };
struct s v;
BEGIN { trace(*v.f); }
