BEGIN { self->a[1, 2] = 1; trace(self->a[1]); }
