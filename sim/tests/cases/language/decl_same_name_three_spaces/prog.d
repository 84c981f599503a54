int x;
self int x;
this int x;
BEGIN { x = 1; self->x = 2; this->x = 3; printf("%d", x * 100 + self->x * 10 + this->x); exit(0); }
