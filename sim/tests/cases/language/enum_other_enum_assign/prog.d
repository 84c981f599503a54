enum e { A = 5 }; enum f { X }; enum f v; BEGIN { v = A; printf("%d", v); exit(0); }
