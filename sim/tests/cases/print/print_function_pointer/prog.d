struct s { int (*f)(int); };
BEGIN { this->p = (struct s *)alloca(sizeof (struct s)); this->p->f = (int (*)(int))0x40; print(this->p); exit(0); }
