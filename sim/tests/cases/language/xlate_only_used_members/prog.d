struct c { int x; int y; };
translator struct c < int i > { x = 1 / i; y = 1; };
BEGIN { printf("%d", xlate <struct c> (0).y); exit(0); }
