enum color { RED, GREEN = 5, BLUE, BLACK = -1, WHITE };

BEGIN { printf("%d %d %d %d %d", RED, GREEN, BLUE, BLACK, WHITE); exit(0); }
