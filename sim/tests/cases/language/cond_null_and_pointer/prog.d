BEGIN { x = 0; p = x ? curthread : NULL; printf("%d", p == NULL); exit(0); }
