BEGIN { _a_1 = 2; printf("%d", _a_1); exit(0); }
