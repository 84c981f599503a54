enum e { A, A }; BEGIN { exit(0); }
