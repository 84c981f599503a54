void *p; BEGIN { printf("%d", (int)(p + 3)); exit(0); }
