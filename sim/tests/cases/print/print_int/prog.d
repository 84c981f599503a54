BEGIN { this->p = (int *)alloca(sizeof (int)); *this->p = 5; print(this->p); exit(0); }
