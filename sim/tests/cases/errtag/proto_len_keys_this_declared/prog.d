self int a[int, int]; BEGIN { self->a[1, 2, 3] = 1; }
