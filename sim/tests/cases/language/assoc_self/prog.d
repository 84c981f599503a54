BEGIN { self->a[1, "q"] = 4; printf("%d", self->a[1, "q"]); exit(0); }
