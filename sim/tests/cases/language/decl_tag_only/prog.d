struct s; union u; enum e { Z }; BEGIN { printf("1"); exit(0); }
