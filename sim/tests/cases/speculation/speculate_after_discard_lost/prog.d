BEGIN { self->i = speculation(); }
BEGIN { speculate(self->i); printf("in "); }
BEGIN { discard(self->i); }
BEGIN { speculate(self->i); printf("lost "); }
BEGIN { commit(self->i); }
BEGIN { printf("after"); exit(0); }
