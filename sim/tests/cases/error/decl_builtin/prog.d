string execname; BEGIN { exit(0); }
