struct s { float a : 3; }; BEGIN { exit(0); }
