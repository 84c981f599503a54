struct o { int a; int b; }; translator struct o < int v > { a = v; b = v + 2; }; BEGIN { this->r = xlate <struct o> (5); printf("%d %d", this->r.a, this->r.b); exit(0); }
