struct s;
struct s x[int];
