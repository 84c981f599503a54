self int a[3]; BEGIN { self->a[0] = 1; } BEGIN { exit(0); }
