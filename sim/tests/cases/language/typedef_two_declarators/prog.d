typedef int n_t, *np_t; BEGIN { printf("%d %d", sizeof(n_t), sizeof(np_t)); exit(0); }
