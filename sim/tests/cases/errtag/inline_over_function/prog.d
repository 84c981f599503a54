inline int strlen = 5;
