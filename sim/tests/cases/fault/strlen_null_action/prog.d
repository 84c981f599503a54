BEGIN { trace(strlen(NULL)); }
ERROR { exit(1); }
