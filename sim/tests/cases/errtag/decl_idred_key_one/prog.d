int x[int];
int x[string];
