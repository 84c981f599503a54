provider mine { probe go__now(int x); };
mine:::go-now { trace(1); }
BEGIN { printf("ok"); exit(0); }
