union u { int a; };
union u v;
BEGIN { trace(stringof(v)); }
