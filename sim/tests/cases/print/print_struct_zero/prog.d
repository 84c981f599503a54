struct s { int a; char b; };
BEGIN { this->p = (struct s *)alloca(sizeof (struct s)); print(this->p); exit(0); }
