struct s { char c[4]; };
BEGIN { this->p = (struct s *)alloca(sizeof (struct s)); this->p->c[2] = 'z'; print(this->p); exit(0); }
