BEGIN { if (1) ; else printf("b"); if (0) { } exit(0); }
