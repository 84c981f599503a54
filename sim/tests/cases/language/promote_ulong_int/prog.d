BEGIN { printf("%d %d", sizeof(1ul + 1), (1ul - 2) > 0); exit(0); }
