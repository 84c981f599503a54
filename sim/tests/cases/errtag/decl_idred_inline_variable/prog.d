int x;
inline int x = 2;
