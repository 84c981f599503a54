BEGIN { trace(self->a[1]); }
