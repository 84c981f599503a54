struct p { int x; };
self struct p v;
struct p w;
BEGIN { w.x = 4; self->v = w; printf("%d ", self->v.x); self->v = 0; self->v = w; printf("%d", self->v.x); exit(0); }
