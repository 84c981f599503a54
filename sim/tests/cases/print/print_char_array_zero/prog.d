struct s { char c[4]; int a; };
BEGIN { this->p = (struct s *)alloca(sizeof (struct s)); this->p->a = 1; print(this->p); exit(0); }
