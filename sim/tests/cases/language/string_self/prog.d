BEGIN { self->s = "mine"; printf("%s", self->s); exit(0); }
