BEGIN { this->p = (uint64_t *)alloca(sizeof (uint64_t)); *this->p = -1; print(this->p); exit(0); }
