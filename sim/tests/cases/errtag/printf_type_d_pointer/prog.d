BEGIN { p = (char *)0; printf("%d", p); }
