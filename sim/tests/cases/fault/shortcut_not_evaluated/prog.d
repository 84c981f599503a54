BEGIN { x = 0; y = 1; printf("%d %d %d\n", x && *(int *)0, y || *(int *)0, y ? 5 : *(int *)0); exit(0); }
