struct o { char a; }; translator struct o < int v > { a = v; }; BEGIN { printf("%d", xlate <struct o> (300).a); exit(0); }
