BEGIN { trace(stringof(NULL)); }
ERROR { exit(1); }
