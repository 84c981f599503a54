enum color { RED, GREEN = 5, BLUE, BLACK = -1, WHITE };

BEGIN { printf("%d", RED ? 1 : 2); exit(0); }
