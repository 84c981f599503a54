struct m { int a[3]; int b; }; BEGIN { printf("%d", offsetof(struct m, b)); exit(0); }
