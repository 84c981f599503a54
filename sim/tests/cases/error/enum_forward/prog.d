enum e; enum e v; BEGIN { exit(0); }
