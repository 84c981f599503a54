int x; BEGIN { x = (void)0; }
