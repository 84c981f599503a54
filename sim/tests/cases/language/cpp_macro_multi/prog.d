#define MAX(a, b) ((a) > (b) ? (a) : (b))
#define TEN \
 10
BEGIN { printf("%d", MAX(TEN, 12)); exit(0); }
