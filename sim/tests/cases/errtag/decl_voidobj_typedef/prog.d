typedef void v;
v x;
