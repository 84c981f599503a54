inline int pid = 3;
