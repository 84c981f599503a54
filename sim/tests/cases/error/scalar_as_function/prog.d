int x; BEGIN { x(1); exit(0); }
