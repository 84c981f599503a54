BEGIN { this->p = (char *)alloca(4); printf("%s", this->p); exit(0); }
