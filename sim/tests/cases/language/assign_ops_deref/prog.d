BEGIN { this->p = (int *)alloca(16); *this->p = 5; *this->p *= 3; printf("%d", *this->p); exit(0); }
