struct c { char x; };
translator struct c < int i > { x = i; };
BEGIN { printf("%d", xlate <struct c> (300).x); exit(0); }
