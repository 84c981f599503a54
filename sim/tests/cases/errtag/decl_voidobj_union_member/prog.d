union u { void x; };
