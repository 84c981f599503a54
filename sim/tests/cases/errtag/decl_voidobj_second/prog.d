void *x, y;
