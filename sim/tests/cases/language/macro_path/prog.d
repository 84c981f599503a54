BEGIN { printf("%s", basename($1)); exit(0); }
