int g; inline int gg = g; BEGIN { gg = 6; printf("%d", g); exit(0); }
