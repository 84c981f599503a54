BEGIN { self->x = 4; self->x = 0; printf("%d", self->x); exit(0); }
