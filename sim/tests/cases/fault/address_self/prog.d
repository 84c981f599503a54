BEGIN { self->x = *(int *)8; }
ERROR { exit(1); }
