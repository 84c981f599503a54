BEGIN { this->p = (int *)alloca(8); this->p[0] = 1; this->p[1] = 2; printf("%d ", *this->p++); printf("%d", *this->p); exit(0); }
