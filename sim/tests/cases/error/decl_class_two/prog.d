static extern int x; BEGIN { exit(0); }
