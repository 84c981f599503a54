BEGIN { printf("%d %d %d", sizeof(1 == 1L), sizeof(!1L), sizeof(1L && 1L)); exit(0); }
