int x[int];
int x[int, int];
