struct s { long a; long b; }; BEGIN { this->p = (struct s *)alloca(16); printf("%d", (uintptr_t)&this->p->b - (uintptr_t)this->p); exit(0); }
