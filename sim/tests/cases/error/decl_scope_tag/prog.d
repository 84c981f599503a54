struct a`b { int x; }; BEGIN { exit(0); }
