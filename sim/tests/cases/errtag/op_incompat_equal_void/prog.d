BEGIN { trace((void)1 == 1); }
