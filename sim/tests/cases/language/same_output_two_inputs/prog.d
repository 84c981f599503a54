struct o { int a; int b; };
struct i1 { int x; }; struct i2 { int y; };
struct i1 v1; struct i2 v2;
translator struct o < struct i1 *p > { a = p->x; };
translator struct o < struct i2 *q > { a = q->y + 100; };
BEGIN { this->p = (struct i1 *)alloca(4); this->q = (struct i2 *)alloca(4); this->p->x = 1; this->q->y = 2; printf("%d %d\n", xlate <struct o> (this->p).a, xlate <struct o> (this->q).a); exit(0); }
