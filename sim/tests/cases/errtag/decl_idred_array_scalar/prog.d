int x[int];
int x;
