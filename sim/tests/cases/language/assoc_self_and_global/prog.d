BEGIN { a[1] = 1; self->a[1] = 2; printf("%d %d", a[1], self->a[1]); exit(0); }
