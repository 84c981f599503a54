int float x; BEGIN { exit(0); }
