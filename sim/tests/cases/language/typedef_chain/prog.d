typedef char a_t;
typedef a_t b_t;
typedef b_t c_t;
BEGIN { printf("%d", (c_t)300); exit(0); }
