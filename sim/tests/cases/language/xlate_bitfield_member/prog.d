struct o { int a:3; int b; }; translator struct o < int v > { a = v; b = v; }; BEGIN { printf("%d", xlate <struct o> (3).a); exit(0); }
