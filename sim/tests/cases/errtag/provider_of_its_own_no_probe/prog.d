provider mine { probe go__now(int x); };
mine:::go-now { trace(1); }
