union u { char a : 12; };
