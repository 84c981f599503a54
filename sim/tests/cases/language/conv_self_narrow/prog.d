self char c; BEGIN { self->c = 300; printf("%d", self->c); exit(0); }
