char *p; BEGIN { printf("%d", p == NULL); exit(0); }
