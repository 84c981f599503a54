short void *p;
