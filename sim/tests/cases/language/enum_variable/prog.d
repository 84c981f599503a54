enum color { RED, GREEN = 5, BLUE, BLACK = -1, WHITE };
enum color c;
BEGIN { c = BLUE; printf("%d", c == BLUE); exit(0); }
