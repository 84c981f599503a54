extern void (*signal(int, void (*)(int)))(int); BEGIN { printf("1"); exit(0); }
