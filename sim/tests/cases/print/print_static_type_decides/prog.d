struct s { short a; short b; };
BEGIN { this->p = (int *)alloca(sizeof (int)); *this->p = 0x20001; print((struct s *)this->p); exit(0); }
