#define P(a, b) a##b
BEGIN { xy = 3; printf("%d", P(x, y)); exit(0); }
