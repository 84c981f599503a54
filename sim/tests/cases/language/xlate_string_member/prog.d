struct o { int a; int b; string s; };
translator struct o < int i > { a = i * 2; b = i + 1; s = "t"; };
BEGIN { printf("%s", xlate <struct o> (5).s); exit(0); }
