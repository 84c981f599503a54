BEGIN { self->n = 1; self->n--; a["x"] = 5; a["x"] -= 5; printf("%d %d\n", self->n, a["x"]); exit(0); }
