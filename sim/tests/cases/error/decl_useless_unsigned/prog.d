unsigned long; BEGIN { exit(0); }
