BEGIN { this->p = (int **)alloca(8); print(this->p); exit(0); }
