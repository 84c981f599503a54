BEGIN END { exit(0); }
