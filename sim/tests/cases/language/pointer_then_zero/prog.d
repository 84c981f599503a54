BEGIN { x = curthread; x = 0; printf("%p", x); exit(0); }
