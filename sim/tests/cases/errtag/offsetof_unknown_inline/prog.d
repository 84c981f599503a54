struct s { int a; };
inline int x = offsetof(struct s, b);
