BEGIN { self->i = speculation(); }
BEGIN /self->i/ { speculate(self->i); printf("has "); }
BEGIN /self->i/ { commit(self->i); self->i = 0; }
BEGIN /self->i/ { printf("not "); }
BEGIN { exit(0); }
