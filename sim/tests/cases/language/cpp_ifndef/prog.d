#ifndef FOO
BEGIN { printf("none"); exit(0); }
#else
BEGIN { printf("foo"); exit(0); }
#endif
