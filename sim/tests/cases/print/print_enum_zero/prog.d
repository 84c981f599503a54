enum e { A, B, C };
BEGIN { this->p = (enum e *)alloca(sizeof (enum e)); print(this->p); exit(0); }
