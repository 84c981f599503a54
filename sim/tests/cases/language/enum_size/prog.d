enum color { RED, GREEN = 5, BLUE, BLACK = -1, WHITE };

BEGIN { printf("%d", sizeof (enum color)); exit(0); }
