struct s { int a; }; struct s { int a; }; BEGIN { exit(0); }
