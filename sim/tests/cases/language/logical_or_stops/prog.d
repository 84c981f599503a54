BEGIN { this->p = (int *)0; printf("%d", this->p == NULL || *this->p == 1); exit(0); }
