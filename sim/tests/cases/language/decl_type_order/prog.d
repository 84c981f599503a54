long unsigned int a; int unsigned b; int short unsigned c; BEGIN { printf("%d %d %d", sizeof(a), sizeof(b), sizeof(c)); exit(0); }
