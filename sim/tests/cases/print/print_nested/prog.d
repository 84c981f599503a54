struct i { int x; }; struct m { struct i in; int y; }; struct o { struct m mid; };
BEGIN { this->p = (struct o *)alloca(sizeof (struct o)); this->p->mid.in.x = 3; print(this->p); exit(0); }
