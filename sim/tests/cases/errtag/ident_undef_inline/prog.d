inline int x = y;
