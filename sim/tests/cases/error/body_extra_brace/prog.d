BEGIN { exit(0); } }
