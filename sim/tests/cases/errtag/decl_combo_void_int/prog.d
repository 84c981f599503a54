void int *x;
