inline int x = 1;
inline string x = "a";
