BEGIN { this->p = (int *)alloca(sizeof (int)); *this->p = -7; print(this->p); exit(0); }
