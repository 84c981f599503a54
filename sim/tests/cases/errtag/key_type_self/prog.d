BEGIN { self->a[(void)0] = 1; }
