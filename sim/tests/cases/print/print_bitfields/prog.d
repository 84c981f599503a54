struct s { int a:3; int b:5; unsigned int c:7; };
BEGIN { this->p = (struct s *)alloca(sizeof (struct s)); this->p->a = -2; this->p->c = 100; print(this->p); exit(0); }
