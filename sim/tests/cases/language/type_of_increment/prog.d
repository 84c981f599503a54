BEGIN { x++; self->y++; a[1]++; printf("%d %d %d", sizeof(x), sizeof(self->y), sizeof(a[1])); exit(0); }
