BEGIN { self->trace = 2; printf("%d", self->trace); exit(0); }
