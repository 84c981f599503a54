union u { int a; };
union u v;
BEGIN { trace((int)v); }
