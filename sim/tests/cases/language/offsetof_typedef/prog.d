typedef struct { long a; char b; } s_t;
BEGIN { printf("%d", offsetof(s_t, b)); exit(0); }
