BEGIN { this->p = (char *)alloca(sizeof (char)); *this->p = 'q'; print(this->p); exit(0); }
