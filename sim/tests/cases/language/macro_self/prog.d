BEGIN { self->$1 = 5; printf("%d", self->v); exit(0); }
