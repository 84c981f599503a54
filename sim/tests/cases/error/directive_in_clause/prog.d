BEGIN {
#line 50
 y = 1;
trace(x); }
