union u { int a; }; long union u x;
