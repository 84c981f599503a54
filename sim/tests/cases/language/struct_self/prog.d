struct pt { int x; int y; }; self struct pt p; BEGIN { self->p = *(struct pt *)alloca(sizeof(struct pt)); self->p.x = 3; self->p.y = 4; printf("%d %d", self->p.x, self->p.y); exit(0); }
