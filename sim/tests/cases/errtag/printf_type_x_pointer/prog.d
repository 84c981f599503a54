BEGIN { p = (char *)0; printf("%x", p); }
