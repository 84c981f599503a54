struct s;
typedef struct s s_t;
s_t x;
