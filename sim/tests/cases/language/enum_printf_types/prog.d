enum e { A = 1, B = 2 }; enum e v; BEGIN { v = B; printf("%d %x %u", v, v, v); exit(0); }
