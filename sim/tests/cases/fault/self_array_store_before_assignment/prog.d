self int a[3];
BEGIN { self->a[1] = 5; }
ERROR { exit(1); }
