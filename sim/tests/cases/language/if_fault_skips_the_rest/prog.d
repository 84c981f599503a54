BEGIN { if (1) printf("a"); x = *(int *)0; printf("b"); }
BEGIN { printf("c"); exit(0); }
