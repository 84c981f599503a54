void void *p;
