BEGIN { this->p = (char **)alloca(8); *this->p = (char *)0xabcdef; print(this->p); exit(0); }
