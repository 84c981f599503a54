typedef enum { NO, YES } yn_t;
yn_t v;
BEGIN { v = YES; printf("%d", v); exit(0); }
