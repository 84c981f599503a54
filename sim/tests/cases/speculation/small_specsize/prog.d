BEGIN { self->i = speculation(); }
BEGIN { speculate(self->i); printf("%s", "x"); }
BEGIN { commit(self->i); }
BEGIN { printf("after"); exit(0); }
