BEGIN { self->x = 12; *(int *)0; }
ERROR { printf("%d\n", self->x); exit(0); }
