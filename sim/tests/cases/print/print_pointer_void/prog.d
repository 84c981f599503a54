BEGIN { this->p = (void **)alloca(8); *this->p = (void *)0x10; print(this->p); exit(0); }
