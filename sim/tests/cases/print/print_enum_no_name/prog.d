enum e { A, B, C };
BEGIN { this->p = (enum e *)alloca(sizeof (enum e)); *this->p = 9; print(this->p); exit(0); }
