union u { int a; union u b; };
