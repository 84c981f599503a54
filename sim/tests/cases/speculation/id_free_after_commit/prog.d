BEGIN { self->i = speculation(); }
BEGIN { speculate(self->i); printf("x "); }
BEGIN { commit(self->i); }
BEGIN { self->j = speculation(); printf("%d %d", self->i, self->j); exit(0); }
