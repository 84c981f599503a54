BEGIN { this->p = (int *)alloca(16); this->p[2] = 2; this->q = this->p; this->q += 3; this->q -= 1; printf("%d", *this->q); exit(0); }
