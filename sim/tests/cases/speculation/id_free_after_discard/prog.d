BEGIN { self->i = speculation(); discard(self->i); self->j = speculation(); printf("%d %d", self->i, self->j); exit(0); }
