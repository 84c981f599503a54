union u { int a; int b:2; };
BEGIN { trace(offsetof(union u, b)); }
