BEGIN { p = (char *)0; printf("%s", p); }
