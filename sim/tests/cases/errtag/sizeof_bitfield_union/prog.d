union u { int a; unsigned b:7; };
union u v;
BEGIN { trace(sizeof v.b); }
