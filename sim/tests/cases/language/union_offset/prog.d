union u { char c; int i; };
BEGIN { printf("%d", offsetof(union u, i)); exit(0); }
