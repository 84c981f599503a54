enum e { a`b }; BEGIN { exit(0); }
