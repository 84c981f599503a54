union u { int x[string, int]; };
