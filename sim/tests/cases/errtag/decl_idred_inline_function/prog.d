inline int rand = 2;
