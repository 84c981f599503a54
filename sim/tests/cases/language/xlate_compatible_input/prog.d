struct o { int a; int b; string s; };
translator struct o < int i > { a = i * 2; b = i + 1; s = "t"; };
BEGIN { printf("%d", xlate <struct o> ((char)4).a); exit(0); }
