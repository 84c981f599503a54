BEGIN { self->t = 1; } BEGIN /self->t/ { printf("b"); self->t = 0; } BEGIN /self->t/ { printf("c"); } BEGIN { exit(0); }
