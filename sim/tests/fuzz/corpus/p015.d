BEGIN { trace(&3); }self->x
