inline extern int x = 1;
