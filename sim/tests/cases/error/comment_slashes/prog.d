// hello
BEGIN { exit(0); }
