struct o { int a; };
typedef struct i { int x; } i_t;
translator struct o < i_t *p > { a = p->x; };
BEGIN { this->p = (struct i *)alloca(4); this->p->x = 8; printf("%d", xlate <struct o> (this->p).a); exit(0); }
