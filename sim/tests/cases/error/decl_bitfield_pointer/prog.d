struct s { int *a : 3; }; BEGIN { exit(0); }
