inline int D = 0; BEGIN { D ? printf("a") : printf("b"); exit(0); }
