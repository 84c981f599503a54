enum e { A = 'a', B }; BEGIN { printf("%d %d", A, B); exit(0); }
