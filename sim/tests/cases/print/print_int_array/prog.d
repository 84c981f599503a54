struct s { int a[4]; };
BEGIN { this->p = (struct s *)alloca(sizeof (struct s)); this->p->a[1] = 5; this->p->a[3] = -6; print(this->p); exit(0); }
