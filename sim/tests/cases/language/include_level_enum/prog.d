int A;
# 1 "x.h" 1
enum e { A, B };
# 5 "prog.d" 2
BEGIN { printf("%d", B); exit(0); }
