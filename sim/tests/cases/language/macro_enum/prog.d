enum e { A = $1, B }; BEGIN { printf("%d", B); exit(0); }
