enum color { RED, GREEN = 5, BLUE, BLACK = -1, WHITE };

BEGIN { printf("%d", BLACK < RED); exit(0); }
