BEGIN { do { exit(0); } while (0); }
