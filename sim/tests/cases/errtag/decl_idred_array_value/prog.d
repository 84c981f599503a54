int x[int];
char x[int];
