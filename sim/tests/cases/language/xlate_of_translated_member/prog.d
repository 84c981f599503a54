struct o { int a; int b; string s; };
translator struct o < int i > { a = i * 2; b = i + 1; s = "t"; };
struct c { int x; };
translator struct c < int i > { x = i + 1; };
BEGIN { printf("%d", xlate <struct c> (xlate <struct o> (2).a).x); exit(0); }
