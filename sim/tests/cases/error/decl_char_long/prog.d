char long x; BEGIN { exit(0); }
