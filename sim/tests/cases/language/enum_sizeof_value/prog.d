enum e { A }; BEGIN { printf("%d", sizeof(A)); exit(0); }
