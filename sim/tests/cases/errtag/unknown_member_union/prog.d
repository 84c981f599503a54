union u { int a; char a; };
