void *p;
BEGIN { p--; }
