int *a; BEGIN { trace(a == 5); exit(0); }
