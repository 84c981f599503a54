inline int x = f(1);
