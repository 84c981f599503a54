BEGIN { self->a = 1; self->a += 2; printf("%d ", self->a); self->a *= 2; printf("%d ", self->a); self->a %= 5; printf("%d ", self->a); self->a |= 6; self->a &= ~1; printf("%d", self->a); exit(0); }
