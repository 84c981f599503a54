BEGIN { self->x = 5; } tick-1ms { printf("%d", self->x == 5 ? 0 : self->x); exit(0); }
