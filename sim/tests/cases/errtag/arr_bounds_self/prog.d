self int a[4]; BEGIN { self->a[5] = 1; }
