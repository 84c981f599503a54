struct s { char c[8]; };
BEGIN { this->p = (struct s *)alloca(sizeof (struct s)); this->p->c[0] = 'a'; this->p->c[1] = 'b'; this->p->c[3] = 'd'; print(this->p); exit(0); }
