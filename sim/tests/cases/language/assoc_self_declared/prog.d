self int a[string];
BEGIN { self->a["z"] = 4; printf("%d", self->a["z"]); exit(0); }
