enum color { RED, GREEN = 5, BLUE, BLACK = -1, WHITE };

BEGIN { a[GREEN] = 5; printf("%d", a[GREEN]); exit(0); }
