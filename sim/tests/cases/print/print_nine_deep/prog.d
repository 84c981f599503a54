struct s0 { int x; }; struct s1 { struct s0 m; }; struct s2 { struct s1 m; }; struct s3 { struct s2 m; }; struct s4 { struct s3 m; }; struct s5 { struct s4 m; }; struct s6 { struct s5 m; }; struct s7 { struct s6 m; }; struct s8 { struct s7 m; }; struct s9 { struct s8 m; };
BEGIN { this->p = (struct s9 *)alloca(sizeof (struct s9)); this->p->m.m.m.m.m.m.m.m.m.x = 1; print(this->p); exit(0); }
