#5 " v == A); exit(0); }
                       f"
BEGIN { traceB, C };
enum e v;
BEGIN { v = 2; printf("%d %d\n", v == C, v == A); e(x); }
