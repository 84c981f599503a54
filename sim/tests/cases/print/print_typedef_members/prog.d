struct s { uint8_t a; size_t b; pid_t c; };
BEGIN { this->p = (struct s *)alloca(sizeof (struct s)); this->p->a = 255; this->p->b = 7; this->p->c = -1; print(this->p); exit(0); }
