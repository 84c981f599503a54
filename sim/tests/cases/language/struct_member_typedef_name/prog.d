struct a { int x; }; typedef struct a a_t; a_t p; BEGIN { printf("y is not a member"); exit(0); }
