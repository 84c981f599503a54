struct s { struct s *n; char *q; };
BEGIN { this->p = (struct s *)alloca(sizeof (struct s)); this->p->q = (char *)0x20; print(this->p); exit(0); }
