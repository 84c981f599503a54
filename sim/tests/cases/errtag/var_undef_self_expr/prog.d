BEGIN { self->x = self->y; }
