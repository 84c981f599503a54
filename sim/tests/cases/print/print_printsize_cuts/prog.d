struct s { int a; int b; int c; int d; };
BEGIN { this->p = (struct s *)alloca(sizeof (struct s)); this->p->a = 1; this->p->b = 2; this->p->c = 3; this->p->d = 4; print(this->p); exit(0); }
