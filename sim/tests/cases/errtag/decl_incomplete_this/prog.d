struct s;
this struct s x;
