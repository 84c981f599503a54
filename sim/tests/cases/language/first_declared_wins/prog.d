struct o { int a; int b; };
translator struct o < long i > { a = 1; };
translator struct o < short i > { a = 2; };
BEGIN { printf("%d %d\n", xlate <struct o> ((char)7).a, xlate <struct o> ((short)7).a); exit(0); }
