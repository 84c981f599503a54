union u { int a; }; signed union u x;
