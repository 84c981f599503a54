BEGIN { x--; self->y--; a["q"]--; printf("%d %d %d", x, self->y, a["q"]); exit(0); }
