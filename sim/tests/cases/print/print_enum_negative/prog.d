enum e { A = -2, B };
BEGIN { this->p = (enum e *)alloca(sizeof (enum e)); *this->p = -2; print(this->p); exit(0); }
