#pragma D binding "1.0" x
int x; BEGIN { x = 1; printf("%d", x); exit(0); }
