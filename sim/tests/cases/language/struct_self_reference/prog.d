struct l { int n; struct l *next; };
struct l *p;
BEGIN { p = alloca(32); p->next = p + 1; p->next->n = 2; printf("%d", p->next->n); exit(0); }
