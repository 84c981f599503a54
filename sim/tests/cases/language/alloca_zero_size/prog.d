BEGIN { this->p = alloca(0); printf("1"); exit(0); }
