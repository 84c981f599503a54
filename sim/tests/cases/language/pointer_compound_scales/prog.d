int a[4];
BEGIN { this->p = (int *)alloca(16); this->q = this->p; this->q += 2; this->q++; printf("%d %d", (long)this->q - (long)this->p, this->q - this->p); exit(0); }
