char *p; BEGIN { p = 1; }
