struct s;
inline struct s x = 1;
