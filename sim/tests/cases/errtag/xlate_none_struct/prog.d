struct o { int a; int b; };
struct t { int x; };
BEGIN { p = (struct t *)0; trace(xlate <struct o> (p).a); }
