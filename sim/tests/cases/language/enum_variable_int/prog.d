enum color { RED, GREEN = 5, BLUE, BLACK = -1, WHITE };
enum color c;
BEGIN { c = 6; printf("%d", c + 1); exit(0); }
