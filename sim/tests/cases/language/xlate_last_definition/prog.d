struct c { int x; };
translator struct c < int i > { x = 1; x = 2; };
BEGIN { printf("%d", xlate <struct c> (1).x); exit(0); }
