enum color { RED, GREEN = 5, BLUE, BLACK = -1, WHITE };

BEGIN { printf("%d", (enum color)5 == GREEN); exit(0); }
