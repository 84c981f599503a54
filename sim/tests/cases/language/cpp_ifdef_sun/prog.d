#ifdef __sun
BEGIN { printf("sun"); exit(0); }
#else
BEGIN { exit(1); }
#endif
