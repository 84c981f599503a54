int x; BEGIN { x = 1; }
char x; BEGIN { exit(0); }
