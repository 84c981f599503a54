BEGIN { x = 1 | (void)0; }
