#define A
#define B
/* c */
BEGIN { trace(x); exit(0); }
