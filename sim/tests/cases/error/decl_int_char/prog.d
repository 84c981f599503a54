int char x; BEGIN { exit(0); }
