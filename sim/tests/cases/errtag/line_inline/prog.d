
inline int x = "a";
