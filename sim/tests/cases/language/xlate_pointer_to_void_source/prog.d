struct o { int a; int b; };
struct t { int x; };
translator struct o < struct t *p > { a = 5; };
BEGIN { trace(xlate <struct o> ((void *)0).a); exit(0); }
