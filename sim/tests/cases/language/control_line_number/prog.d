#line 40 "x.d"
BEGIN { printf("5"); exit(0); }
