BEGIN { this->a = (char *)alloca(2); this->b = (char *)alloca(2); this->a[0] = 1; this->a[1] = 2; bcopy(this->a, this->b, 2); printf("%d %d", this->b[0], this->b[1]); exit(0); }
