enum color { RED, GREEN = 5, BLUE, BLACK = -1, WHITE };
int a[BLUE];
BEGIN { printf("%d", sizeof (a)); exit(0); }
