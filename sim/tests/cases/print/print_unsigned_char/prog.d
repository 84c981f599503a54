BEGIN { this->p = (unsigned char *)alloca(sizeof (unsigned char)); *this->p = 200; print(this->p); exit(0); }
