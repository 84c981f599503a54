enum color { RED, GREEN = 5, BLUE, BLACK = -1, WHITE };
struct h { int n; enum color c; };
struct h v;
BEGIN { v.c = GREEN; printf("%d", v.c); exit(0); }
