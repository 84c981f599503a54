self int x;
inline int D = self->x + 1;
BEGIN { self->x = 3; printf("%d", D); exit(0); }
