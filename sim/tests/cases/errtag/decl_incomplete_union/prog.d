union u;
union u x;
