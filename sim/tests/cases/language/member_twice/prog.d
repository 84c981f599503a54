struct o { int a; int b; };
translator struct o < int i > { a = i; a = i + 10; };
BEGIN { printf("%d\n", xlate <struct o> (1).a); exit(0); }
