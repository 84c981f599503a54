void *p;
BEGIN { ++p; }
