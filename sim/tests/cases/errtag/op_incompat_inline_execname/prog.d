inline int x = execname;
