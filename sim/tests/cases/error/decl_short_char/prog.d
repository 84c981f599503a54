short char x; BEGIN { exit(0); }
