BEGIN { self->i = speculation(); }
BEGIN { speculate(self->i); printf("in "); }
BEGIN { commit(self->i); }
BEGIN { commit(self->i); }
BEGIN { printf("after"); exit(0); }
