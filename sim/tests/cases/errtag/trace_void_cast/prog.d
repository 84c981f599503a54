BEGIN { trace((void)pid); }
