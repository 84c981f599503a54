BEGIN { printf("%d", $1 * $2); exit(0); }
