struct a; struct a x; BEGIN { exit(0); }
