enum e { A, B, C };
enum e v;
BEGIN { v = 2; printf("%d %d\n", v == C, v == A); exit(0); }
