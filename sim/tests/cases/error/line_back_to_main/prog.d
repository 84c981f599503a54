#line 5 "prog.d"
BEGIN { y = 1;
z = 1;
trace(x); }
