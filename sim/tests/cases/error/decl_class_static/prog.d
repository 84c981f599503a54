static int x; BEGIN { exit(0); }
