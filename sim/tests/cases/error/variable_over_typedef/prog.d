typedef int t; int t; BEGIN { exit(0); }
