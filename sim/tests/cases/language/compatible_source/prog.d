struct o { int a; int b; };
translator struct o < long i > { a = i; };
BEGIN { printf("%d\n", xlate <struct o> ((char)7).a); exit(0); }
