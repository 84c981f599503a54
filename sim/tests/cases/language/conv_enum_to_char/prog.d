enum e { A = 258 }; BEGIN { printf("%d", (char)A); exit(0); }
