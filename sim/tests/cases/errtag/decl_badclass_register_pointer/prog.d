register char *p;
