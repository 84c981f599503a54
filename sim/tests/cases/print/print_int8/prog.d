BEGIN { this->p = (int8_t *)alloca(sizeof (int8_t)); *this->p = -3; print(this->p); exit(0); }
