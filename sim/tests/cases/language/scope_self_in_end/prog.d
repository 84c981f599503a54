BEGIN { self->x = 7; exit(0); }
END { printf("%d", self->x); }
