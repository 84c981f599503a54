BEGIN { trace(lltostr(5, 1)); }
ERROR { exit(1); }
