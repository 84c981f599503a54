long void *x; BEGIN { exit(0); }
