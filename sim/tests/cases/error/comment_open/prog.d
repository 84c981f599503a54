BEGIN { exit(0); }
/* a
