BEGIN { printf("%d", $1 * $1); exit(0); }
