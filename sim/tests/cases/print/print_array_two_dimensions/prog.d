struct s { int a[2][2]; };
BEGIN { this->p = (struct s *)alloca(sizeof (struct s)); this->p->a[1][1] = 4; print(this->p); exit(0); }
