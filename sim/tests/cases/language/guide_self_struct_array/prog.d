struct ci { int n; }; self struct ci v[int]; BEGIN { self->v[3].n = 5; printf("%d %d", self->v[3].n, self->v[4].n); exit(0); }
