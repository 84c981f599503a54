struct o { int a; int b; };
typedef int myint;
translator struct o < int i > { a = i; };
myint m;
BEGIN { m = 6; printf("%d\n", xlate <struct o> (m).a); exit(0); }
