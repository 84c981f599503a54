struct a { int k; unsigned x:3; }; BEGIN { this->p = (struct a *)alloca(sizeof(struct a)); this->p->x = 2; printf("%d", this->p->x); exit(0); }
