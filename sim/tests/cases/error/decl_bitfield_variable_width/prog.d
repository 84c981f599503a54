int x; struct s { int a : x; }; BEGIN { exit(0); }
