union u { unsigned lo:4; int all; }; union u v; BEGIN { v.all = 0xff; printf("%d", v.lo); exit(0); }
