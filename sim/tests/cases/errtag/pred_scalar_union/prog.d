union u { int a; };
union u v;
BEGIN /v/ { }
