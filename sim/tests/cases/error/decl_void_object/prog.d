void x; BEGIN { exit(0); }
