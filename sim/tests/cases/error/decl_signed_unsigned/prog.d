signed unsigned int x; BEGIN { exit(0); }
