long char x; BEGIN { exit(0); }
