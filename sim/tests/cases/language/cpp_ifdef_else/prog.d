#ifdef NOSUCH
BEGIN { printf("yes"); exit(0); }
#else
BEGIN { printf("no"); exit(0); }
#endif
