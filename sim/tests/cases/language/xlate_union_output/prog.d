union o { int a; char c; }; translator union o < int v > { a = v; }; BEGIN { printf("%d", xlate <union o> (4).a); exit(0); }
