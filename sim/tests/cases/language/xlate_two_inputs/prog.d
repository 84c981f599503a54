struct o { int a; int b; string s; };
translator struct o < int i > { a = i * 2; b = i + 1; s = "t"; };
translator struct o < string q > { a = strlen(q); };
BEGIN { printf("%d", xlate <struct o> ("abc").a); exit(0); }
