BEGIN { x = 0; y = 0; x ? (y = 1) : (y = 2); printf("%d", y); exit(0); }
