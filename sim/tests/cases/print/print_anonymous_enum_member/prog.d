struct s { enum { P, Q } e; };
BEGIN { this->p = (struct s *)alloca(sizeof (struct s)); this->p->e = Q; print(this->p); exit(0); }
