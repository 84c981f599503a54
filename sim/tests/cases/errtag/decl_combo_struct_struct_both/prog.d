struct s { int a; } struct t { int b; } x;
