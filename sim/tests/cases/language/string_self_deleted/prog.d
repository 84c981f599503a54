BEGIN { self->s = "mine"; self->s = 0; printf("%d", self->s == NULL); exit(0); }
