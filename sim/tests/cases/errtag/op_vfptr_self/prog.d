self void *p; BEGIN { self->p++; }
