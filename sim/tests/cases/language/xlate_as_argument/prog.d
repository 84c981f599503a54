struct o { int a; int b; };
struct i { int z; };
translator struct o < int i > { a = i; b = 1; };
BEGIN { this->s = xlate <struct o> (3); printf("%d\n", this->s.a); exit(0); }
