int size; BEGIN { size = 3; printf("%d", size); exit(0); }
