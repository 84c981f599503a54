#define TWICE(x) ((x) * 2)
BEGIN { printf("%d", TWICE($1)); exit(0); }
