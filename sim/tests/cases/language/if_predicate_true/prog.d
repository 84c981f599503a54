BEGIN /1/ { printf("x"); if (0) printf("a"); else printf("b"); exit(0); }
