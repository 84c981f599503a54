int x[int, string];
int x[int, char];
