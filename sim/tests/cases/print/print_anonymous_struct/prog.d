typedef struct { int x; } pt_t;
BEGIN { this->p = (pt_t *)alloca(sizeof (pt_t)); this->p->x = 3; print(this->p); exit(0); }
