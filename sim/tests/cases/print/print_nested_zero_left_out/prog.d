struct i { int x; }; struct o { struct i in; int y; };
BEGIN { this->p = (struct o *)alloca(sizeof (struct o)); this->p->y = 3; print(this->p); exit(0); }
