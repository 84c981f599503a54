enum e { A, B, }; BEGIN { printf("%d", B); exit(0); }
