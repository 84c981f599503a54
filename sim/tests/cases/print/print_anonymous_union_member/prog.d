struct s { union { int x; } u; };
BEGIN { this->p = (struct s *)alloca(sizeof (struct s)); this->p->u.x = 3; print(this->p); exit(0); }
