#ifdef __STDC__
BEGIN { printf("stdc"); exit(0); }
#else
BEGIN { printf("none"); exit(0); }
#endif
