struct o { int a; int b; };
translator struct o < int i > { };
BEGIN { printf("ok"); exit(0); }
