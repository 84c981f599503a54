inline int x = ;
