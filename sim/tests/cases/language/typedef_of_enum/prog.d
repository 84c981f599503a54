typedef enum { X, Y, Z } xyz_t; xyz_t v; BEGIN { v = Z; printf("%d", v); exit(0); }
