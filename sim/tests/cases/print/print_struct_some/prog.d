struct s { int a; char b; short c; };
BEGIN { this->p = (struct s *)alloca(sizeof (struct s)); this->p->c = -1; print(this->p); exit(0); }
