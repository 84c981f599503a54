BEGIN { @[self->x] = count(); }
