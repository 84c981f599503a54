BEGIN { printf("%d %d", $1, $2); exit(0); }
