struct i { int x; int y; int z; }; struct s { struct i in; int d; };
BEGIN { this->p = (struct s *)alloca(sizeof (struct s)); this->p->in.x = 1; this->p->in.y = 2; this->p->in.z = 3; print(this->p); exit(0); }
