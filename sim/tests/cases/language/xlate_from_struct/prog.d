struct c { int x; };
struct d { int y; };
struct d *p;
translator struct c < struct d *q > { x = q->y; };
BEGIN { p = alloca(4); p->y = 9; printf("%d", xlate <struct c> (p).x); exit(0); }
