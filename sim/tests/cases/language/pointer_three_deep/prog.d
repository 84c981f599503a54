BEGIN { this->a = (int *)alloca(4); *this->a = 5; this->b = (int **)alloca(8); *this->b = this->a; this->c = (int ***)alloca(8); *this->c = this->b; printf("%d", ***this->c); exit(0); }
