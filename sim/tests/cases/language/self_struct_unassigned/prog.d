struct s { int x; int y; }; self struct s v; BEGIN { self->v.y = 1; } BEGIN { exit(0); }
