self int a[3]; BEGIN { self->a = 0; }
