short long int x; BEGIN { exit(0); }
