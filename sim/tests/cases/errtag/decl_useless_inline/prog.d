inline int;
