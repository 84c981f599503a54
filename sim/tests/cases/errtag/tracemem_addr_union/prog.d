union u { int a; };
union u v;
BEGIN { tracemem(v, 8); }
