BEGIN { trace(strtok(NULL, ",")); }
ERROR { exit(1); }
