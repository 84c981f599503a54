BEGIN { printf("%d", sizeof($1)); exit(0); }
