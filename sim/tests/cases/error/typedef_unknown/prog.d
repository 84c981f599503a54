foo_t x; BEGIN { exit(0); }
