char *p; BEGIN { p = (int *)0; }
