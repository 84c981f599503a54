int string x; BEGIN { exit(0); }
