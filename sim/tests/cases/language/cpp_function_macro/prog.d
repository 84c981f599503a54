#define MAX(a, b) ((a) > (b) ? (a) : (b))
BEGIN { printf("%d", MAX(3, 8)); exit(0); }
