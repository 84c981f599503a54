struct s { int a; char b; short c; };
BEGIN { this->p = (struct s *)alloca(sizeof (struct s)); this->p->a = 1; this->p->b = 'x'; this->p->c = 2; print(this->p); exit(0); }
