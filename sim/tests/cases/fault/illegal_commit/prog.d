BEGIN { commit(-1); }
ERROR { exit(1); }
