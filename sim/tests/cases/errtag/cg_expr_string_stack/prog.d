BEGIN { self->s = 1; trace(ustack()); }
