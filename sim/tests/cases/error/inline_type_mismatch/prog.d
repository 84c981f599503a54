inline int x = "s"; BEGIN { exit(0); }
