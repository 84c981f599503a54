union u { int a; unsigned char b; };
BEGIN { this->p = (union u *)alloca(sizeof (union u)); this->p->a = 65; print(this->p); exit(0); }
