BEGIN { self->n += 1; }
