struct s { short a : 17; }; BEGIN { exit(0); }
