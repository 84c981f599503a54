BEGIN { trace((void)0 ? 1 : 2); }
