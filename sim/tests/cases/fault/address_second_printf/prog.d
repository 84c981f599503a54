BEGIN { printf("a"); printf("%d", *(char *)32); }
ERROR { exit(1); }
