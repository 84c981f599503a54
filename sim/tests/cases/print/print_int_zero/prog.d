BEGIN { this->p = (int *)alloca(sizeof (int)); print(this->p); exit(0); }
