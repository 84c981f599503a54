this int x;
this long x;
