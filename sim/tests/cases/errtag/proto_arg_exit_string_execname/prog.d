BEGIN { exit(execname); }
