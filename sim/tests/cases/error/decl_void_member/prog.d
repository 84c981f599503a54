struct s { void x; }; BEGIN { exit(0); }
