struct s { char c[2]; };
BEGIN { this->p = (struct s *)alloca(sizeof (struct s)); this->p->c[0] = 'a'; this->p->c[1] = 'b'; print(this->p); exit(0); }
