self int x;
BEGIN { self->x = 3; printf("%d", self->x); exit(0); }
