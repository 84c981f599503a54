struct s { double d; int a; float f; };
BEGIN { this->p = (struct s *)alloca(sizeof (struct s)); this->p->a = 1; print(this->p); exit(0); }
